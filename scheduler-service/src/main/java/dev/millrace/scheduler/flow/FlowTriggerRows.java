package dev.millrace.scheduler.flow;

import java.util.List;
import org.jooq.DSLContext;

/** Changes of the triggers that the file of a flow declares, to be made in the transaction that deploys the flow. */
@FunctionalInterface
public interface FlowTriggerRows {
    /** For flows that neither declare nor declared any trigger. */
    FlowTriggerRows NONE = _ -> List.of();

    /**
     * Makes the changes.
     *
     * @return what has changed, in the order of the file
     */
    List<DeclaredChange> apply(DSLContext transaction);

    /** Makes several changes one after another. */
    static FlowTriggerRows all(List<FlowTriggerRows> parts) {
        return transaction ->
                parts.stream().flatMap(part -> part.apply(transaction).stream()).toList();
    }
}
