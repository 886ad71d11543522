/** Versions of scripts: content-addressed and immutable, with a current version for each path. */
@NullMarked
package dev.millrace.scheduler.script;

import org.jspecify.annotations.NullMarked;
