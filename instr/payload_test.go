// This file tests layouts: their text form, its mistakes, and the values of fields.

package instr_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
)

func TestALayoutReadsAsItIsWritten(t *testing.T) {
	for text, size := range map[string]int{
		"":                                   0,
		"served:u32":                         4,
		"a:i8,_:x3,b:f64[3],_:x1,rest:x5[2]": 1 + 3 + 24 + 1 + 10,
		"a:u8,b:u16,c:u32,d:u64,e:i16,f:i32,g:i64,h:f32,x:x16777183": 1 << 24,
	} {
		l, err := instr.ParseLayout(text)
		require.NoError(t, err, text)
		require.Equal(t, text, l.String())
		require.Equal(t, size, l.Size(), text)
	}
}

func TestMistakesInALayoutAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"a":                     `field "a": write it as name:kind`,
		"a:u32,":                `field "": write it as name:kind`,
		"3a:u32":                `field "3a:u32": write it as name:kind`,
		"a b:u32":               `field "a b:u32": write it as name:kind`,
		":u32":                  `field ":u32": write it as name:kind`,
		"a:u32,a:f32":           `field "a:f32": its name is taken by an earlier field`,
		"a:int":                 `field "a:int": unknown kind "int": give i8`,
		"a:u24":                 `unknown kind "u24"`,
		"a:x0":                  `unknown kind "x0"`,
		"a:x":                   `unknown kind "x"`,
		"a:y4":                  `unknown kind "y4"`,
		"a:u32[0]":              `unknown kind "u32[0]"`,
		"a:u32[3":               `unknown kind "u32[3"`,
		"a:u32[-1]":             `unknown kind "u32[-1]"`,
		"a:x16777217":           `unknown kind "x16777217"`,
		"a:u8,b:x16777216":      `field "b:x16777216": the layout has more than 16777216 bytes`,
		"a:x16777216[16777216]": `the layout has more than 16777216 bytes`,
	} {
		_, err := instr.ParseLayout(text)
		require.ErrorContains(t, err, want, text)
	}
}

func TestFieldsHaveTheValuesOfThePayload(t *testing.T) {
	l, err := instr.ParseLayout("a:u8,b:i16[2],c:u32,d:i64,e:f32,f:f64,g:x3,h:i8,i:u64")
	require.NoError(t, err)
	p := []byte{
		200,
		0xFE, 0xFF, 0x01, 0x80,
		0xFF, 0xFF, 0xFF, 0xFF,
		0xFD, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
		0, 0, 0x20, 0xC0,
		0, 0, 0, 0, 0, 0, 0xF0, 0x7F,
		7, 8, 9,
		0x80,
		0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
	}
	require.Len(t, p, l.Size())
	require.EqualValues(t, 200, l[0].Uint(p, 0))
	require.EqualValues(t, -2, l[1].Int(p, 0))
	require.EqualValues(t, -32767, l[1].Int(p, 1))
	require.Equal(t, 2, l[1].Values())
	require.EqualValues(t, math.MaxUint32, l[2].Uint(p, 0))
	require.EqualValues(t, -3, l[3].Int(p, 0))
	require.Equal(t, -2.5, l[4].Float(p, 0))
	require.Equal(t, math.Inf(1), l[5].Float(p, 0))
	require.Equal(t, []byte{7, 8, 9}, l[6].Bytes(p, 0))
	require.EqualValues(t, -128, l[7].Int(p, 0))
	require.EqualValues(t, uint64(math.MaxUint64), l[8].Uint(p, 0))
}

func FuzzParseLayout(f *testing.F) {
	for _, text := range []string{"", "a:u8", "a:f64[3],_:x2", "a:x1[2", "a:u8,a:u8"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := instr.ParseLayout(text)
		if err != nil {
			return
		}
		again, err := instr.ParseLayout(l.String())
		require.NoError(t, err)
		require.Equal(t, l, again)
		require.LessOrEqual(t, l.Size(), instr.MaxPayload)
	})
}
