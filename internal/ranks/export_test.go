// What tests of the package from outside need of its inside.

package ranks

var (
	Identify         = identify
	Decode           = decode
	Encode           = Description.encode
	Judge            = judge
	ProbeOf          = probeOf
	AllGatherByParts = allGatherBytes
)

type Probe = probe

const Protocol = protocol
