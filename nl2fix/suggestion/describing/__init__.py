"""An edit in words and as a small diff, and kinds of edits that hardly ever mend anything."""
