package dev.millrace.scheduler.flow.dialect;

/** Limits on the size of a document. */
public final class SourceLimits {
    /** Maximum characters of a definition. */
    public static final int CHARS_MAX = 4 * 1024 * 1024;
    /** Maximum nesting depth of the document. */
    public static final int DEPTH_MAX = 500;
    /** Maximum nodes of the document; an alias counts each time it is used. */
    public static final int NODES_MAX = 500_000;

    static final String TOO_DEEP = "The definition nests deeper than the limit of " + DEPTH_MAX + " levels.";
    static final String TOO_DEEP_REMEDY =
            "Take the inner part out of the definition, for example into a flow of its own.";
    static final String TOO_MANY = "The definition has more than the limit of " + NODES_MAX
            + " values, with aliases counted as often as they are used.";
    static final String TOO_MANY_REMEDY = "Split the flow, pass large data as an input, or use fewer aliases.";

    private SourceLimits() {}
}
