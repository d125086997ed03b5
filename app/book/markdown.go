package book

import (
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// newParser puts goldmark's parsers and ours in one order. It keeps no state between pages.
func newParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(append(parser.DefaultBlockParsers(),
			util.Prioritized(extension.NewDefinitionListParser(), 101),
			util.Prioritized(extension.NewDefinitionDescriptionParser(), 102),
			util.Prioritized(mathBlockParser{}, 690),
			util.Prioritized(directiveParser{}, 695),
			util.Prioritized(extension.NewFootnoteBlockParser(), 999),
		)...),
		parser.WithInlineParsers(append(parser.DefaultInlineParsers(),
			util.Prioritized(mathParser{}, 90),
			util.Prioritized(liveParser{}, 95),
			util.Prioritized(inputParser{}, 96),
			util.Prioritized(bracketParser{}, 98),
			util.Prioritized(newTypographer(), 9999),
		)...),
		parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(),
			util.Prioritized(extension.NewTableParagraphTransformer(), 200),
		)...),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
		parser.WithHeadingAttribute(),
	)
}

// newTypographer writes the characters themselves, where goldmark would write entities.
func newTypographer() parser.InlineParser {
	return extension.NewTypographerParser(extension.WithTypographicSubstitutions(extension.TypographicSubstitutions{
		extension.LeftSingleQuote:  []byte("‘"),
		extension.RightSingleQuote: []byte("’"),
		extension.LeftDoubleQuote:  []byte("“"),
		extension.RightDoubleQuote: []byte("”"),
		extension.EnDash:           []byte("–"),
		extension.EmDash:           []byte("—"),
		extension.Ellipsis:         []byte("…"),
		extension.LeftAngleQuote:   nil, // `<<` and `>>` stay as they are: they are seldom quotes here
		extension.RightAngleQuote:  nil,
		extension.Apostrophe:       []byte("’"),
	}))
}
