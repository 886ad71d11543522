package dev.millrace.scheduler.flow.dialect;

import java.util.Set;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * YAML resolver that only marks scalars as unquoted, so that nothing guesses dates, octal numbers or the word
 * {@code no}.
 */
final class PlainResolver extends Resolver {
    /** Tag of unquoted scalars. */
    static final Tag PLAIN = new Tag(Tag.PREFIX + "plain");
    /** Tag with which Windmill's command line marks that the content is in a file. The word stays part of the text. */
    static final Tag INLINE = new Tag("!inline");
    /** Tags that a definition may have. */
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
