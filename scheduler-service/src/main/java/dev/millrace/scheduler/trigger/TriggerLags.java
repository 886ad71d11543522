package dev.millrace.scheduler.trigger;

import dev.millrace.metrics.LabelBound;
import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** A gauge of how far the triggers that listen in this scheduler are behind, and the labels of their metrics. Thread-safe. */
public final class TriggerLags {
    /** Label of metrics that tell triggers apart. */
    public static final String TRIGGER = "trigger";

    /** Largest number of triggers that metrics tell apart; all further ones are counted together. */
    private static final int TRIGGERS_MAX = 50;

    private final LabelBound bound = new LabelBound(TRIGGERS_MAX);
    private final Map<UUID, Lag> lags = new ConcurrentHashMap<>();

    private record Lag(String label, long behind) {}

    /** Adds the gauge with this name and help, for triggers. */
    public TriggerLags(Metrics metrics, String name, String help) {
        this(metrics, name, help, TRIGGER);
    }

    /** @param of label that tells apart what listens */
    public TriggerLags(Metrics metrics, String name, String help, String of) {
        metrics.gauges(name, help, List.of(of), points -> {
            Map<String, Long> sums = new TreeMap<>();
            lags.values().forEach(lag -> sums.merge(lag.label(), lag.behind(), Long::sum));
            sums.forEach((label, sum) -> points.add(sum, label));
        });
    }

    /** The lag of a trigger, which is not known yet. */
    public OfTrigger of(TriggerId id, TriggerKey key) {
        return of(id.value(), key.workspace(), key.path());
    }

    /** The lag of something that listens, which is not known yet. */
    public OfTrigger of(UUID id, Workspace workspace, String path) {
        return new OfTrigger(id, bound.of(workspace + "/" + path));
    }

    /** The lag of one trigger. */
    public final class OfTrigger {
        private final UUID id;
        private final String label;

        private OfTrigger(UUID id, String label) {
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
