/** The styles of a choice among a few segments, with those of the marker of the chosen one: without them it stands beside its segment. */
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
