//go:build js && wasm

package time
