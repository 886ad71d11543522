/**
 * The compiled form of a definition: graphs of nodes with their dependencies, and the keys that name steps. Graphs are
 * immutable, derive from definitions alone, and are shared by all runs of a version.
 */
@NullMarked
package dev.millrace.scheduler.flow.core.graph;

import org.jspecify.annotations.NullMarked;
