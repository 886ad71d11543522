package dev.millrace.scheduler.flow.dialect;

import java.util.Set;

/** A language of definitions: a compiler into the flow model. */
public interface Dialect {
    /** Its name, for example {@code millrace}. */
    String name();

    /** Whether a document looks like one of this dialect. */
    boolean recognises(SourceNode document);

    /** Compiles a document; what is wrong goes to {@code problems}. */
    Compilation compile(SourceNode document, Problems problems);

    /**
     * As {@link #compile(SourceNode, Problems)}, where names of tasks may also mean scripts.
     *
     * @param files paths of the scripts that come with the definition
     */
    default Compilation compile(SourceNode document, Set<String> files, Problems problems) {
        return compile(document, problems);
    }
}
