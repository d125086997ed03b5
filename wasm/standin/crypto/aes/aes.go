// Package aes stands in for crypto/aes in the browser's program, which encrypts nothing.
package aes

import (
	"crypto/cipher"
	"errors"
)

// NewCipher fails: there is no cipher in this program.
func NewCipher([]byte) (cipher.Block, error) {
	return nil, errors.New("there is no AES in this program")
}
