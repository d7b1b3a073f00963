"""Authenticated encryption at the speed of the AES unit."""
