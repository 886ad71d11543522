package dev.millrace.scheduler.flow.dialect.fastflow;

import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Paths;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reader of lists of texts. */
final class Texts {
    private Texts() {}

    /**
     * Reads the texts of a key. Unquoted numbers and booleans become text, as when Go's YAML decodes them into strings.
     */
    static List<String> list(Reading reading, Fields fields, String key, String what) {
        Optional<SourceNode> node = fields.find(key);
        List<String> texts = new ArrayList<>();
        if (node.isEmpty()) {
            return texts;
        }
        if (!(node.get() instanceof SourceNode.Sequence sequence)) {
            reading.problem(
                    node.get().mark(),
                    fields.path(key),
                    key + " is " + node.get().phrase() + " (expected: a list).",
                    "Write a list: " + what + ".");
            return texts;
        }
        for (int i = 0; i < sequence.items().size(); i++) {
            switch (sequence.items().get(i)) {
                case SourceNode.Text text -> texts.add(text.text());
                case SourceNode.Literal literal when !literal.value().isNull() -> texts.add(literal.shown());
                case SourceNode other ->
                    reading.problem(
                            other.mark(),
                            Paths.element(fields.path(key), i),
                            "This is " + other.phrase() + " (expected: a text).",
                            "Write a text.");
            }
        }
        return texts;
    }
}
