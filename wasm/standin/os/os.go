// Package os stands in for os in the browser's program, which has no files: it only writes to the console.
package os

import (
	"errors"
	"io/fs"
	"syscall"
)

// Separators of paths.
const (
	PathSeparator     = '/'
	PathListSeparator = ':'
)

// FileInfo, FileMode and DirEntry are those of io/fs.
type (
	FileInfo = fs.FileInfo
	FileMode = fs.FileMode
	DirEntry = fs.DirEntry
)

// File is one of the three that every program has.
type File struct{ descriptor int }

// The console's files. Nothing can be read.
var (
	Stdin  = &File{0}
	Stdout = &File{1}
	Stderr = &File{2}
)

var errNone = errors.New("there are no files in this program")

// Write writes to the console.
func (f *File) Write(b []byte) (int, error) { return syscall.Write(f.descriptor, b) }

// Read fails.
func (f *File) Read([]byte) (int, error) { return 0, errNone }

// Close does nothing.
func (f *File) Close() error { return nil }

// IsPathSeparator says whether c separates the parts of a path.
func IsPathSeparator(c uint8) bool { return c == PathSeparator }

// Getenv returns nothing.
func Getenv(string) string { return "" }

// Setenv does nothing.
func Setenv(string, string) error { return nil }

// Unsetenv does nothing.
func Unsetenv(string) error { return nil }

// Getuid, Getgid and Getpid are nobody's.
func Getuid() int { return -1 }

// Getgid is nobody's.
func Getgid() int { return -1 }

// Getpid is nobody's.
func Getpid() int { return -1 }

// IsNotExist is always true of files.
func IsNotExist(err error) bool { return err != nil }

// Stat fails, and so do all below.
func Stat(string) (FileInfo, error) { return nil, errNone }

// Lstat fails.
func Lstat(string) (FileInfo, error) { return nil, errNone }

// Readlink fails.
func Readlink(string) (string, error) { return "", errNone }

// ReadDir fails.
func ReadDir(string) ([]DirEntry, error) { return nil, errNone }

// Getwd fails.
func Getwd() (string, error) { return "", errNone }

// SameFile says no.
func SameFile(FileInfo, FileInfo) bool { return false }

// Create fails.
func Create(string) (*File, error) { return nil, errNone }

// Open fails.
func Open(string) (*File, error) { return nil, errNone }

// MkdirAll fails.
func MkdirAll(string, FileMode) error { return errNone }

// RemoveAll fails.
func RemoveAll(string) error { return errNone }

// WriteFile fails.
func WriteFile(string, []byte, FileMode) error { return errNone }

// Readdirnames fails.
func (f *File) Readdirnames(int) ([]string, error) { return nil, errNone }
