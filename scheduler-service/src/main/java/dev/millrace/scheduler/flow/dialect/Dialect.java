package dev.millrace.scheduler.flow.dialect;

/** A language of definitions: a compiler into the flow model. */
public interface Dialect {
    /** Its name, for example {@code millrace}. */
    String name();

    /** Whether a document looks like one of this dialect. */
    boolean recognises(SourceNode document);

    /** Compiles a document; what is wrong goes to {@code problems}. */
    Compilation compile(SourceNode document, Problems problems);
}
