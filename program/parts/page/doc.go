// This file is the package documentation.

// Package page writes the results of an experiment as a page that needs nothing else: one HTML file with a chart and a
// table of each result, for a browser, for paper, and for those who cannot see charts.
//
//	results, err := e.Do(ctx) // an experiment.Experiment
//	...
//	s := page.Of(results, nil)
//	s.Program = "queue"
//	err = s.Write(file)
//
// A program with the part of package study has the option --page=study.html, and rossreader report makes the page of a
// journal or of a table. They know more than the results: what ran, units, and the command line of each run.
//
// # What a chart shows
//
// The first option that varies is the horizontal axis, the second one has a line for each of its values, up to
// [MostLines], and others have a panel for each combination. Options whose values are numbers have an axis of numbers;
// others are categories. Points that do not form a grid, such as those of a Latin hypercube, stand next to each other
// in their order. One point has its replications on one axis.
//
// A bar is the confidence interval of a mean, and a dot is one replication, in the order of their numbers from left to
// right within a point. Of very many replications only the first ones have dots ([MostDots]), and the page says so.
//
// # What a page is not
//
// A page asks for nothing from a network, and its content security policy forbids it to. Without JavaScript all charts,
// tables and the text of each dot are there; missing are the buttons, and the choice of a dot by the keyboard.
//
// Numbers are those of the results. A mean without numbers, and the interval of a single one, are not drawn, and their
// cells are empty: no page has NaN or an infinity. Text from a model is escaped, and control characters are shown as
// a replacement character; in CSV, text that a spreadsheet would compute begins with an apostrophe.
package page
