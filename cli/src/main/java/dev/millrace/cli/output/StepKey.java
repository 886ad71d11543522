package dev.millrace.cli.output;

import java.util.ArrayList;
import java.util.List;

/** Splits the key of a step into its parts, outermost first: {@code count[3].tokenize} becomes count, [3], tokenize. */
final class StepKey {
    private StepKey() {}

    static List<String> places(String key) {
        List<String> places = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            if (c == '.' || c == '[') {
                addUnlessEmpty(places, key.substring(start, i));
                start = c == '.' ? i + 1 : i;
            }
        }
        addUnlessEmpty(places, key.substring(start));
        return places;
    }

    private static void addUnlessEmpty(List<String> places, String place) {
        if (!place.isEmpty()) {
            places.add(place);
        }
    }
}
