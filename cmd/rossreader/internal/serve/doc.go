// This file is the package documentation: what is served, to whom, and how pages follow the files.

// Package serve is `rossreader serve`: an HTTP server with the runs in a folder and the folders
// below it, and with their reports.
//
// # Pages
//
//	/           the runs, the newest first, with state, model, rate and efficiency
//	/view       the report of a run (run=FOLDER), or its comparison with another (base=FOLDER)
//	/report     the page within /view, as `rossreader report` makes it
//	/figures    a figure of all runs against an option in which they differ, as `rossreader figures` draws it
//	/state      a word that changes when the files of the runs change (run= and base= as above)
//
// A page asks for /state every two seconds and loads itself again when the word has changed. Of a
// run that has not ended the report shows what is whole, as with --partial.
//
// # Who can read them
//
// Without a host in --http the server listens on 127.0.0.1, and package guard refuses requests that
// name another host or come from pages of other origins, except links. Only folders found below
// the one that was named are read: the parameter of a request is looked up among them, and is never
// part of a path. Symbolic links are not followed.
//
// # Work
//
// A report is made when it is asked for, one at a time, and kept until its files change; the
// server keeps the last few. The folder is read again at most once a second.
package serve
