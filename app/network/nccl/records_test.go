package nccl

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/network"
)

// Figures under names, as RCCL's tests write them with -Z json or csv and MSCCL++'s with -o, and as others do: of eight
// ranks, 1 GiB in 6 ms are 178.96 GB/s, of which the bus bandwidth of an all-reduce is 313.17.
func TestRecords(t *testing.T) {
	const rccl = `{"numCycle":0, "name":"AllReduce", "nodes":1, "ranks":8, "ranksPerNode":8, "gpusPerRank":1, "size":%d, ` +
		`"type":"float", "redop":"sum", "inPlace":0, "time":%g, "algBw":178.96, "busBw":%g, "wrong":"0"}`
	small, large := fmt.Sprintf(rccl, 1<<20, 26.2, 70.04), fmt.Sprintf(rccl, 1<<30, 6000.0, 313.17)
	const head = "numCycle,name,nodes,ranks,ranksPerNode,gpusPerRank,size,type,redop,inPlace,time,algBw,busBw,wrong\n"
	for name, text := range map[string]string{
		"a list":              "[" + small + ",\n" + large + "]",
		"lines":               small + "\n" + large + "\n",
		"CSV":                 head + "0,AllReduce,1,8,8,1,1073741824,float,sum,0,6000.0,178.956,313.17,0\r\n",
		"MSCCL++":             `{"name":"allreduce","kernel":7,"ranks":8,"algBw":178.95,"busBw":313.17,"size":1073741824,"time":6000.0}`,
		"of somebody":         `[{"op": "all_reduce", "world_size": 8, "size_bytes": 1073741824, "time_us": 6e3, "busbw_gbps": 313.17}]`,
		"of somebody, as CSV": "op,ranks,size_bytes,time_us,busbw_gbps\nall_reduce,8,1073741824,6000,313.17\n",
		"over lines": "[\n {\n  \"op\": \"all_reduce\",\n  \"nranks\": 8,\n  \"bytes\": 1073741824,\n  " +
			"\"time_us\": 6000,\n  \"busbw\": 313.17\n }\n]",
		"with units": "size(B),count(elems),type,time:avg(us),algbw(GB/s),busbw(GB/s),op,ranks\n" +
			"1073741824,268435456,fp32,6000,178.96,313.17,all_reduce,8\n",
		"behind a log's line": "NCCL version 2.27\n" + large,
	} {
		got, err := ReadTest(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		best := got.Best()
		if got.Op != network.AllReduce || got.Devices != 8 || float64(best.Bytes) != 1<<30 ||
			math.Abs(best.Bus-313.17e9) > 1e6 || math.Abs(float64(best.Time)-6e-3) > 1e-9 {
			t.Errorf("%s: %v among %d: %+v", name, got.Op, got.Devices, best)
		}
	}
	for _, text := range []string{`{"busBw": 3}`, strings.Repeat("{", 1000) + "busBw", head,
		`{"size": -1, "time": 0, "busBw": 1}`} {
		if got, err := ReadTest(text); err == nil {
			t.Errorf("%.40s is read: %+v", text, got)
		}
	}
}
