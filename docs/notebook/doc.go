// Package notebook has the tests of docs/notebook.md, which shows how other languages read what runs and studies write.
package notebook
