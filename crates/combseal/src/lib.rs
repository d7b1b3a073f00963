//! Authenticated encryption at the speed of the AES unit.
#![cfg_attr(not(feature = "std"), no_std)]
