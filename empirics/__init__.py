"""What is found by search, training and measuring."""
