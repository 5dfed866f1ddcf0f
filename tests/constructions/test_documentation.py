"""The constructions are documentation: doctests run and the contents page is complete."""

import doctest
import importlib
import pkgutil
import subprocess
import sys

import pytest

import constructions

MODULES = [found.name for found in pkgutil.iter_modules(constructions.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_doctests_pass_and_exist(name: str) -> None:
    module = importlib.import_module(f"constructions.{name}")
    result = doctest.testmod(module)
    assert result.failed == 0
    assert result.attempted > 0


@pytest.mark.parametrize("name", MODULES)
def test_contents_page_lists_the_module(name: str) -> None:
    assert f"``{name}``" in (constructions.__doc__ or "")


def test_a_construction_imports_by_name_and_without_torch() -> None:
    code = (
        "import sys; from constructions import relu_zero_error, softmax_sink, layer_stack; "
        "print('torch' in sys.modules, relu_zero_error.relu_zero_error(3).M.shape)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False (3, 3)"
