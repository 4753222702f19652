package avl

// Room returns the number of events for which there is room without more memory.
func (l *Log) Room() int { return len(l.ids) }

// Steps returns what the log has done.
func (l *Log) Steps() steps { return l.steps }
