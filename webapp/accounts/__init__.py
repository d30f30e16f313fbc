"""Manages a player's address, devices and sign-ins, and decides who may change them."""
