package config

import "testing"

// Sizes that name others, as in NeMo's files, are what they name.
func TestSizesThatNameOthers(t *testing.T) {
	im, err := Read([]byte("model:\n  num_layers: ${oc.env:LAYERS,32}\n  hidden_size: 4096\n" +
		"  ffn_hidden_size: ${multiply:3,${.hidden_size}}\n  num_attention_heads: 32\n  num_query_groups: ${.num_attention_heads}\n" +
		"  encoder_seq_length: 4096\n  max_position_embeddings: ${.encoder_seq_length}\n  vocab_size: 32000\n"))
	if err != nil {
		t.Fatal(err)
	}
	if m := &im.Model; m.Layers != 32 || m.FFWidth != 12288 || m.KVHeads != 32 || m.Context != 4096 {
		t.Errorf("%+v", m)
	}
	if _, err := Read([]byte("model:\n  num_layers: ${oc.env:LAYERS}\n  hidden_size: 4096\n")); err == nil {
		t.Error("layers that nothing sets are read")
	}
}
