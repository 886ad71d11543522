package dev.millrace.scheduler.flow.dialect;

import java.util.Set;

/** A language for definitions, with its compiler into the flow model. */
public interface Dialect {
    /** Returns the name of the dialect, for example {@code millrace}. */
    String name();

    /** Whether a document looks like a definition in this dialect. */
    boolean recognizes(SourceNode document);

    /** Compiles a document and reports its errors to {@code problems}. */
    Compilation compile(SourceNode document, Problems problems);

    /**
     * Compiles a document whose task names may also refer to scripts.
     *
     * @param files paths of the scripts that come with the definition
     */
    default Compilation compile(SourceNode document, Set<String> files, Problems problems) {
        return compile(document, problems);
    }
}
