// Package client is the client library.
package client
