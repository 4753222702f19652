// This file owns what a run does with the statistics of its model when it is over.

package run

// reportStatistics prints the statistics of the model and writes their files, as the options
// say. All ranks call it, and ok says whether the run was right.
func (s *Run) reportStatistics(ok bool) error {
	set := &s.Set
	if set.Statistics == 0 {
		return nil
	}
	if !s.HasStatistics() {
		s.Hint("--statistics has nothing to show: no LP type has statistics (package stats) in its state.")
		return nil
	}
	table, err := s.Run.Statistics(nil)
	if err != nil || !ok || s.Cluster.Rank != 0 {
		return err
	}
	if set.StatisticsReport() {
		s.Printf("\n")
		if err := table.WriteText(s.Report); err != nil {
			return err
		}
	}
	if set.StatisticsFiles() {
		return s.inst.WriteStatistics(table)
	}
	return nil
}
