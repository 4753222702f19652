// This file owns the way of the settings from ross.Config, field by field of the same name.

package settings

import "reflect"

// From returns settings with the values of the fields of the same names of a structure, ross.Config. A new option so
// needs a field there and one here, and nothing in between.
func From(config any) *Settings {
	s := new(Settings)
	to, from := reflect.ValueOf(s).Elem(), reflect.Indirect(reflect.ValueOf(config))
	for i := range to.NumField() {
		field := to.Type().Field(i)
		if value := from.FieldByName(field.Name); value.IsValid() && !field.Anonymous {
			to.Field(i).Set(value.Convert(field.Type))
		}
	}
	return s
}
