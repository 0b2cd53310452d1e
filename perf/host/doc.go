// Package host reads what a load needs to know about the machine and its
// processes, from /proc and the kernel: CPU seconds, memory, and a
// description for results. In goes a process id or nothing, out come numbers
// and texts. It changes nothing, and knows nothing of loads.
package host
