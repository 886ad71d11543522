/** Pure part of all kinds of triggers: what contents of messages become in inputs. */
@NullMarked
package dev.millrace.scheduler.trigger.core;

import org.jspecify.annotations.NullMarked;
