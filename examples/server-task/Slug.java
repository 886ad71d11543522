import dev.millrace.task.ServerTask;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Map;

/** Turns a text into a part of a URL: {@code {"text": "Crème brûlée!"}} becomes {@code "creme-brulee"}. */
public final class Slug implements ServerTask {
    @Override
    public String name() {
        return "slug";
    }

    @Override
    public String description() {
        return "Turns a text into a part of a URL.";
    }

    @Override
    public String inputSchema() {
        return """
                {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"], "additionalProperties": false}
                """;
    }

    @Override
    public Object run(Map<String, ?> input) {
        String text = (String) input.get("text"); // The schema requires it.
        String plain = Normalizer.normalize(text, Normalizer.Form.NFD).replaceAll("\\p{M}", "");
        String slug = plain.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        if (slug.isEmpty()) {
            throw new IllegalArgumentException("The text is empty: give one with letters or digits.");
        }
        return slug;
    }
}
