package dev.millrace.worker.internal.secret.core;

import java.util.Arrays;
import java.util.SortedSet;

/**
 * Aho-Corasick automaton that finds many patterns of bytes in one pass. Immutable and thread-safe.
 *
 * <p>A node is the beginning of a pattern. Nodes are numbered breadth first, so the children of a node are neighbors,
 * and arrays hold the whole tree: about 17 bytes a node.
 */
public final class PatternTree {
    /** The node of the empty beginning. */
    public static final int ROOT = 0;

    private static final int BYTE_VALUES = 256;

    /** The first child of each node; the children of a node end where those of the next node begin. */
    private final int[] firstChild;

    private final byte[] label;
    /** Number of bytes read last that begin a longer pattern: the length of a node's text, unless it is a leaf. */
    private final int[] depth;
    /** The node of the longest proper end of a node's text that begins a pattern, too. */
    private final int[] fallback;
    /** Length of the longest pattern with which a node's text ends; 0 if there is none. */
    private final int[] longest;

    private final int[] rootChild = new int[BYTE_VALUES];

    /** @param patterns patterns whose characters are bytes (ISO 8859-1), none of them empty */
    public PatternTree(SortedSet<String> patterns) {
        String[] sorted = patterns.toArray(new String[0]);
        int nodesMax = 1 + countNodes(sorted);
        firstChild = new int[nodesMax + 1];
        label = new byte[nodesMax];
        depth = new int[nodesMax];
        fallback = new int[nodesMax];
        longest = new int[nodesMax];
        build(sorted, new int[nodesMax], new int[nodesMax]);
    }

    /** Number of nodes below the root: each pattern adds what it does not share with the one before. */
    private static int countNodes(String[] sorted) {
        int count = 0;
        String before = "";
        for (String pattern : sorted) {
            int shared = 0;
            int sharedMax = Math.min(before.length(), pattern.length());
            while (shared < sharedMax && before.charAt(shared) == pattern.charAt(shared)) {
                shared++;
            }
            count += pattern.length() - shared;
            before = pattern;
        }
        return count;
    }

    /** Builds the nodes breadth first; {@code from} and {@code to} hold the patterns that begin with a node's text. */
    private void build(String[] sorted, int[] from, int[] to) {
        int count = 1;
        to[ROOT] = sorted.length;
        for (int node = ROOT; node < count; node++) {
            int first = from[node];
            int length = depth[node];
            longest[node] = longest[fallback[node]];
            if (first < to[node] && length > 0 && sorted[first].length() == length) {
                longest[node] = length;
                first++;
            }
            firstChild[node] = count;
            while (first < to[node]) {
                char value = sorted[first].charAt(length);
                int last = first;
                while (last < to[node] && sorted[last].charAt(length) == value) {
                    last++;
                }
                label[count] = (byte) value;
                depth[count] = length + 1;
                from[count] = first;
                to[count] = last;
                if (node == ROOT) {
                    rootChild[value] = count;
                } else {
                    fallback[count] = next(fallback[node], (byte) value);
                }
                count++;
                first = last;
            }
            firstChild[node + 1] = count;
            if (firstChild[node] == count) {
                depth[node] = depth[fallback[node]];
            }
        }
    }

    /** Returns the node of the longest end of the text read so far that begins a pattern. */
    int next(int node, byte value) {
        int from = node;
        while (from != ROOT) {
            int child = child(from, value);
            if (child != ROOT) {
                return child;
            }
            from = fallback[from];
        }
        return rootChild[value & (BYTE_VALUES - 1)];
    }

    private int child(int node, byte value) {
        int from = firstChild[node];
        int to = firstChild[node + 1];
        if (to - from == 1) {
            return label[from] == value ? from : ROOT;
        }
        int found = from == to ? -1 : search(from, to, value & (BYTE_VALUES - 1));
        return found < 0 ? ROOT : found;
    }

    private int search(int from, int to, int value) {
        int low = from;
        int high = to - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int found = label[middle] & (BYTE_VALUES - 1);
            if (found == value) {
                return middle;
            } else if (found < value) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    /** Number of bytes read last that may begin a longer pattern. */
    int depth(int node) {
        return depth[node];
    }

    /** Length of the longest pattern that has just ended; 0 if none has. */
    int matched(int node) {
        return longest[node];
    }

    /** Whether the bytes contain a pattern. */
    boolean isIn(byte[] bytes) {
        int node = ROOT;
        for (byte value : bytes) {
            node = next(node, value);
            if (longest[node] > 0) {
                return true;
            }
        }
        return false;
    }

    /** Number of nodes, which determines the memory. */
    public int nodeCount() {
        return label.length;
    }

    @Override
    public String toString() {
        // Never the patterns: they are secrets.
        return "patterns with " + nodeCount() + " nodes, at most "
                + Arrays.stream(longest).max().orElse(0) + " bytes long";
    }
}
