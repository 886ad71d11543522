package dev.millrace.cli.output;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of parallel branches in keys of steps. The server numbers branches, as in {@code both[1].y}; people read {@code both[1
 * other].y}, and may type that or {@code both[other].y}.
 *
 * @param names of the branches, by the id of the parallel step
 */
public record BranchKeys(Map<String, List<String>> names) {
    public static final BranchKeys NONE = new BranchKeys(Map.of());

    private static final Pattern PLACE = Pattern.compile("([^.\\[\\]]+)\\[([^\\[\\]]*)]");
    /** The key with which messages of the server begin that are about a step. */
    private static final Pattern ABOUT = Pattern.compile("^Step \"([^\"\\n]+)\"");

    private static final Pattern NUMBER = Pattern.compile("\\d{1,6}");

    public BranchKeys {
        names = Map.copyOf(names);
    }

    /** Whether a key may have the number of a branch. */
    public static boolean mayShow(String key) {
        return key.indexOf('[') >= 0;
    }

    /** Whether a typed key may have the name of a branch. */
    public static boolean isNamed(String typed) {
        return PLACE.matcher(typed)
                .results()
                .anyMatch(place -> !NUMBER.matcher(place.group(2)).matches());
    }

    /** The key with the names beside the numbers. */
    public String shown(String key) {
        return PLACE.matcher(key)
                .replaceAll(place -> Matcher.quoteReplacement(place.group(1) + "[" + named(place) + "]"));
    }

    /** A message of the server with the names in the key with which it begins. */
    public String shownIn(String message) {
        return ABOUT.matcher(message)
                .replaceFirst(about -> Matcher.quoteReplacement("Step \"" + shown(about.group(1)) + "\""));
    }

    private String named(MatchResult place) {
        String number = place.group(2);
        List<String> branches = names.getOrDefault(place.group(1), List.of());
        return NUMBER.matcher(number).matches() && Integer.parseInt(number) < branches.size()
                ? number + " " + branches.get(Integer.parseInt(number))
                : number;
    }

    /**
     * The key as the server knows it, for a key with numbers, names or both.
     *
     * @throws CommandFailure if a step has branches, and none of this name
     */
    public String numbered(String typed) {
        return PLACE.matcher(typed)
                .replaceAll(place -> Matcher.quoteReplacement(place.group(1) + "[" + number(place) + "]"));
    }

    private String number(MatchResult place) {
        String written = place.group(2);
        List<String> branches = names.getOrDefault(place.group(1), List.of());
        if (branches.isEmpty() || NUMBER.matcher(written).matches()) {
            return written;
        }
        for (int i = 0; i < branches.size(); i++) {
            if (written.equals(branches.get(i)) || written.equals(i + " " + branches.get(i))) {
                return String.valueOf(i);
            }
        }
        throw new CommandFailure(
                ExitCode.NOT_FOUND,
                "The step \"" + place.group(1) + "\" has no branch \"" + written + "\". Its branches are "
                        + String.join(", ", branches) + ".");
    }
}
