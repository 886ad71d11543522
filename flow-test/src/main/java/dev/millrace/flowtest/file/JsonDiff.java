package dev.millrace.flowtest.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.ArrayList;
import java.util.List;

/** Shows how two JSON values differ, line by line. */
final class JsonDiff {
    /** Longest values that are compared line by line; of longer ones, only the beginning is shown. */
    private static final int LINES_MAX = 500;

    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    private JsonDiff() {}

    /** Returns the lines of both: with {@code -} what is expected only, with {@code +} what is there only. */
    static String of(String expected, String actual) {
        List<String> before = lines(expected);
        List<String> after = lines(actual);
        int[][] common = new int[before.size() + 1][after.size() + 1];
        for (int i = before.size() - 1; i >= 0; i--) {
            for (int j = after.size() - 1; j >= 0; j--) {
                common[i][j] = before.get(i).equals(after.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        List<String> shown = new ArrayList<>(List.of("- expected", "+ actual"));
        int i = 0;
        int j = 0;
        while (i < before.size() || j < after.size()) {
            if (i < before.size() && j < after.size() && before.get(i).equals(after.get(j))) {
                shown.add("  " + before.get(i));
                i++;
                j++;
            } else if (j == after.size() || (i < before.size() && common[i + 1][j] >= common[i][j + 1])) {
                shown.add("- " + before.get(i++));
            } else {
                shown.add("+ " + after.get(j++));
            }
        }
        return String.join("\n", shown);
    }

    private static List<String> lines(String json) {
        try {
            Object value = JSON.readValue(json, Object.class);
            List<String> lines = JSON.writeValueAsString(value).lines().toList();
            if (lines.size() <= LINES_MAX) {
                return lines;
            }
            List<String> cut = new ArrayList<>(lines.subList(0, LINES_MAX));
            cut.add("… and " + (lines.size() - LINES_MAX) + " further lines");
            return cut;
        } catch (JsonProcessingException notJson) {
            return List.of(json);
        }
    }
}
