package dev.millrace.scheduler.database;

import static org.jooq.impl.DSL.falseCondition;
import static org.jooq.impl.DSL.noCondition;

import java.util.Optional;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.DSL;

/** The condition that paths or names lie in certain folders, which are their first parts. */
public final class FolderCondition {
    private FolderCondition() {}

    /**
     * The condition on a path.
     *
     * @param folders absent for any folder, and for none
     */
    public static Condition of(Field<String> path, Optional<Set<String>> folders) {
        return folders.map(some -> some.stream()
                        .map(folder -> path.startsWith(folder + "/"))
                        .map(Condition.class::cast)
                        .reduce(falseCondition(), DSL::or))
                .orElse(noCondition());
    }
}
