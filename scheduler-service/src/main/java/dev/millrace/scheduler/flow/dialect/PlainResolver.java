package dev.millrace.scheduler.flow.dialect;

import java.util.Set;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;

/** Marks unquoted scalars as such instead of guessing dates, octal numbers and the word {@code no}. */
final class PlainResolver extends Resolver {
    /** The tag of unquoted scalars. */
    static final Tag PLAIN = new Tag(Tag.PREFIX + "plain");
    /** How Windmill's command line writes that a text lies in a file; the text keeps the word. */
    static final Tag INLINE = new Tag("!inline");
    /** The tags that a definition may have. */
    static final Set<Tag> TAGS = Set.of(PLAIN, INLINE, Tag.STR, Tag.MAP, Tag.SEQ);

    @Override
    public Tag resolve(NodeId kind, String value, boolean plain) {
        return switch (kind) {
            case scalar -> plain ? PLAIN : Tag.STR;
            case sequence -> Tag.SEQ;
            case mapping, anchor -> Tag.MAP;
        };
    }
}
