"""What is said of theorems, to people and to programs."""
