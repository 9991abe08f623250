package decode_test

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mcptoolset/mcptoolset/internal/decode"
)

func TestE3_BinaryReadsBase64AsServersSendIt(t *testing.T) {
	t.Parallel()
	want := []byte{0xfb, 0xff, 0xfe, 'a'}
	for _, data := range []string{
		"+//+YQ==", "+//+YQ", "-__-YQ==", "-__-YQ", "+//+\nYQ==\n", " +//+ YQ ==", "+//+\r\nYQ==",
		"data:image/png;base64,+//+YQ==", "DATA:;base64,-__-YQ",
	} {
		got, err := decode.Binary(data)
		require.NoError(t, err, data)
		assert.Equal(t, want, got, data)
		size, err := decode.BinarySize(data)
		require.NoError(t, err, data)
		assert.Equal(t, len(want), size, data)
	}
	size, err := decode.BinarySize("")
	require.NoError(t, err)
	assert.Zero(t, size)
}

func TestE3_BrokenBase64IsSaid(t *testing.T) {
	t.Parallel()
	for _, data := range []string{
		"*", "A", "AAAAA", "AA=A", "A=", "AA=", "AAA==", "AAAA=", "AAAA====", "=", "==", "====", "AAAA\x00", "é", "AA.A", `{"a":1}`, "data:image/png,AAAA", "data:",
		"hello world!",
	} {
		_, err := decode.Binary(data)
		require.Error(t, err, data)
		_, err = decode.BinarySize(data)
		require.ErrorContains(t, err, "broken base64", data)
	}
}

func TestBinaryReturnsWhatWasEncoded(t *testing.T) {
	t.Parallel()
	encodings := []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding}
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
		data := rapid.SampledFrom(encodings).Draw(t, "encoding").EncodeToString(want)
		if n := rapid.IntRange(0, len(data)).Draw(t, "break"); n > 0 {
			data = data[:n] + "\r\n" + data[n:]
		}
		got, err := decode.Binary(data)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got))
		size, err := decode.BinarySize(data)
		require.NoError(t, err)
		require.Equal(t, len(want), size)
	})
}

func FuzzBinary(f *testing.F) {
	for _, seed := range []string{"", "AAAA", "AA==", "A A A A\n", "-_-_", "====", "data:x;base64,AAAA", "AA=\r\n="} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data string) {
		got, err := decode.Binary(data)
		size, sizeErr := decode.BinarySize(data)
		require.Equal(t, err == nil, sizeErr == nil, "%v, %v", err, sizeErr)
		if err == nil {
			require.Len(t, got, size)
		}
		if std, err := base64.StdEncoding.DecodeString(data); err == nil {
			require.True(t, bytes.Equal(std, got))
		}
	})
}

func BenchmarkBinarySize(b *testing.B) {
	data := strings.Repeat("QUJD", 1<<18)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := decode.BinarySize(data); err != nil {
			b.Fatal(err)
		}
	}
}
