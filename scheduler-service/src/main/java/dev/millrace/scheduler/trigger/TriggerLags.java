package dev.millrace.scheduler.trigger;

import dev.millrace.metrics.LabelBound;
import dev.millrace.metrics.Metrics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** A gauge of how far the triggers that listen in this scheduler are behind, and the labels of their metrics. Thread-safe. */
public final class TriggerLags {
    /** Label of metrics that tell triggers apart. */
    public static final String TRIGGER = "trigger";

    /** Largest number of triggers that metrics tell apart; all further ones are counted together. */
    private static final int TRIGGERS_MAX = 50;

    private final LabelBound bound = new LabelBound(TRIGGERS_MAX);
    private final Map<TriggerId, Lag> lags = new ConcurrentHashMap<>();

    private record Lag(String label, long behind) {}

    /** Adds the gauge with this name and help. */
    public TriggerLags(Metrics metrics, String name, String help) {
        metrics.gauges(name, help, List.of(TRIGGER), points -> {
            Map<String, Long> sums = new TreeMap<>();
            lags.values().forEach(lag -> sums.merge(lag.label(), lag.behind(), Long::sum));
            sums.forEach((label, sum) -> points.add(sum, label));
        });
    }

    /** The lag of a trigger, which is not known yet. */
    public OfTrigger of(TriggerId id, TriggerKey key) {
        return new OfTrigger(id, bound.of(key.workspace() + "/" + key.path()));
    }

    /** The lag of one trigger. */
    public final class OfTrigger {
        private final TriggerId id;
        private final String label;

        private OfTrigger(TriggerId id, String label) {
            this.id = id;
            this.label = label;
        }

        /** Value of the label {@link #TRIGGER}. */
        public String label() {
            return label;
        }

        /** Sets how much the trigger has not accepted yet. */
        public void set(long behind) {
            lags.put(id, new Lag(label, behind));
        }

        /** Forgets the lag, because this scheduler does not listen any more. */
        public void clear() {
            lags.remove(id);
        }
    }
}
