package trace

// message is a message of protocol buffers that is read field by field.
type message struct{ rest string }

// field is the next field: its number, and its value or what it holds. It is false at the end, and where nothing can be
// read any more.
func (m *message) field() (field int, value uint64, inside string, ok bool) {
	key, ok := m.varint()
	if field = int(min(key>>3, 1<<29)); !ok || field == 0 {
		return 0, 0, "", false
	}
	switch key & 7 {
	case 0:
		value, ok = m.varint()
	case 1:
		if ok = len(m.rest) >= 8; ok {
			for i := range 8 {
				value |= uint64(m.rest[i]) << (8 * i)
			}
			m.rest = m.rest[8:]
		}
	case 2:
		var n uint64
		if n, ok = m.varint(); ok {
			if ok = n <= uint64(len(m.rest)); ok {
				inside, m.rest = m.rest[:n], m.rest[n:]
			}
		}
	case 5:
		if ok = len(m.rest) >= 4; ok {
			m.rest = m.rest[4:]
		}
	default:
		ok = false
	}
	return field, value, inside, ok
}

func (m *message) varint() (x uint64, ok bool) {
	for i := 0; i < len(m.rest) && i < 10; i++ {
		x |= uint64(m.rest[i]&0x7f) << (7 * i)
		if m.rest[i] < 0x80 {
			m.rest = m.rest[i+1:]
			return x, true
		}
	}
	return 0, false
}

// isPackets tells whether a text is a trace of Perfetto: packets, each field 1 of the whole, and more of them than a
// profile of memory (pprof) has types of samples.
func isPackets(text string) bool {
	m := message{text}
	for range 5 {
		if field, _, _, ok := m.field(); !ok || field != 1 {
			return false
		}
	}
	return true
}
