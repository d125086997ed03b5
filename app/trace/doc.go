// Package trace reads what a profiler recorded, and says where the time of each device went.
//
// A trace is JSON in Chrome's format, as the profilers of JAX and PyTorch write it. It works in these steps:
//
//  1. A [Reader] goes through the text in slices and keeps of each event when it began, how long it took, and what it
//     was called (cursor.go, event.go, reader.go). What begins and ends in two events is put together (event.go).
//  2. The tracks that are a device's own are told from those of hosts: kernels and copies of GPUs, the operations of
//     TPUs (tracks.go).
//  3. Events that lie within others are taken out of them, so that each moment of a track belongs to one operation
//     (device.go).
//  4. Of each device the times are joined: what it computes, what it sends, what of that no arithmetic covers, and when
//     it stands idle (device.go).
//
// Every step of all this is far shorter than a frame of a page, however long the text is.
//
// # Limits
//
// Texts come from strangers. A text has at most [MaxBytes] and [MaxEvents] events; what can't be read is skipped and
// counted, with its line, and a text that is cut off gives the events before.
package trace
