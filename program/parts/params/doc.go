// Package params reads the parameters of LPs from a YAML file, by patterns for the names of LPs:
//
//	# hospital.yaml
//	"ward[0..1].beds": 60
//	"ward[*]":
//	  beds: 40
//	  stay: 44.5
//	"**.patience": 3
//
// The program has a struct for each kind of LP, with the values that hold without a file, and gets one for each LP:
//
//	type Ward struct {
//		Beds     int
//		Stay     float64 // hours
//		Patience float64 `param:"patience"`
//	}
//
//	var file params.File                                             // --params=hospital.yaml
//	params.Option(group, &file, "params", "parameters of the wards") // in Program.Options
//
//	wards, err := params.Each(&file, 3, label, Ward{Beds: 30, Stay: 48}) // in Program.Prepare
//	err = file.Done()
//
// Handlers that are methods of what holds wards find those of their LP there. They do not belong into the state: a run
// that starts from a checkpoint does not call Init.
//
// # Lines
//
// A line has a pattern and a value. The pattern is for the name of an LP, a dot and the name of a field. Lines may be
// put together: a key with lines below it stands before each of them, with a dot. The value is a number, a text, true
// or false, or a list of these, as the field needs it; a text such as 1m30s becomes a time.Duration. A type that reads
// its values from texts (encoding.TextUnmarshaler) gets one, such as the opening hours of a calendar.Calendar:
//
//	"ward[*].hours": |
//	  unit: h
//	  mon-fri 08:00-17:00: 3
//
// Numbers are as in 10, -2.5, +5, 1e3 or 1_000, whole ones also as in 0x1f, 0o17 or 0b101. A whole number wants no
// point and no exponent. One that begins with 0, such as 010, is an error: the versions of YAML do not agree on it. The
// value of a float may be .inf, for no limit; .nan and -.inf are errors, and so is a number that is too large for its
// field. true may be written as yes or on, and false as no or off. A line without a value, with ~ or with null is an
// error.
//
// The first line that matches holds, so exceptions stand above what they are exceptions from. A key that begins with *,
// or with one of the other signs of YAML, stands in quotation marks.
//
//	**       any text
//	*        any text without a dot, also none
//	?        any character but a dot
//	[2..5]   an index in brackets: [2] to [5]; [2..] from [2] on, [..5] up to [5]
//	{2..5}   a number, 2 to 5; {2..} and {..5} likewise
//	\        the character after it, as it is
//
// # Fields
//
// The name of a field is that of Go with a lower-case letter in front (beds, nurseMean; all of it if it is all
// upper-case), or that in its tag `param:"name"`; with the tag "-" a field is left out, as fields are that are not
// exported. Fields of a struct in the struct have its name before theirs: nurse.mean.
//
// # Mistakes
//
// A value that does not fit its field is an error of [Each], and a line that sets nothing is an error of [File.Done],
// because it is probably misspelt: it says what names there are. All errors name file, line and key, and are a
// [cmdline.ErrUsage], for which programs exit with status 2.
//
// # Ranks and checkpoints
//
// The value of the option that [Option] registers is a hash of the file's contents. All ranks read the file, and a run
// whose ranks have read different contents is refused. A checkpoint that was stored with other parameters is an
// ErrCheckpoint, as with any option of a model, unless --io-other-options is given; the name of the file does not
// matter.
package params
