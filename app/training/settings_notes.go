package training

import "strings"

// uncommentedBlocks is a text without the comments /* of JSON as people write it */, if it is of braces: a shell writes
// /* for files. What stands in quotation marks is no comment.
func uncommentedBlocks(text string) string {
	if !strings.Contains(text, "/*") || !braced(text) {
		return text
	}
	var b strings.Builder
	quoted := false
	for i := 0; i < len(text); i++ {
		switch {
		case quoted && text[i] == '\\' && i+1 < len(text):
			b.WriteByte(text[i])
			i++
		case text[i] == '"' || text[i] == '\n': // no text of JSON goes on behind its line
			quoted = text[i] == '"' && !quoted
		case !quoted && strings.HasPrefix(text[i:], "/*"):
			_, behind, ends := strings.Cut(text[i+2:], "*/")
			if !ends {
				return b.String()
			}
			i = len(text) - len(behind) - 1
			continue
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// braced tells whether a text is an object in braces, behind nothing but comments.
func braced(text string) bool {
	for {
		text = strings.TrimSpace(text)
		end := ""
		switch {
		case strings.HasPrefix(text, "/*"):
			end = "*/"
		case strings.HasPrefix(text, "//"), strings.HasPrefix(text, "#"):
			end = "\n"
		default:
			return strings.HasPrefix(text, "{")
		}
		_, text, _ = strings.Cut(text, end)
	}
}

// noted is a script without notes inside a command, which a shell runs as commands of nothing but a comment: `# note`.
func noted(text string) string {
	for at := 0; ; {
		i := strings.Index(text[at:], "`#")
		if i < 0 {
			return text
		}
		at += i
		note, _, _ := strings.Cut(text[at+1:], "\n")
		if end := strings.IndexByte(note, '`'); end > 0 {
			text = text[:at] + text[at+1+end+1:]
		} else {
			at++
		}
	}
}

// windows is a script as another shell has it, if it sets variables as cmd.exe does: set NAME=value, then %NAME%.
func windows(text string) string {
	var names []string // and what stands in their place
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if line = strings.TrimSpace(line); len(line) < 5 || !strings.EqualFold(line[:4], "set ") {
			continue
		}
		line = strings.Trim(line[4:], ` "`)
		if name, _, sets := strings.Cut(line, "="); sets && plainName(name) {
			lines[i], names = line, append(names, "%"+name+"%", "${"+name+"}")
		}
	}
	if names == nil {
		return text
	}
	return strings.NewReplacer(names...).Replace(strings.Join(lines, "\n"))
}
