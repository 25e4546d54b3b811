"""What the kernel's functions return, against values found otherwise."""
