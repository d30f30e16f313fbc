"""A player's address, devices and sign-ins, and who may change them."""
