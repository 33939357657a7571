"""The fault floor: a whole room simulated from one seed, with every fault of disk, network, clock, devices and people."""
