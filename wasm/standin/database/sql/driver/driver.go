// Package driver stands in for database/sql/driver in the browser's program, which knows no database.
package driver

// Value is what a database takes.
type Value any
