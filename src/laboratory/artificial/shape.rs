//! The shape of a uniform tree and the numbering of its nodes.

use thiserror::Error;

/// Shape of a tree in which every interior node has the same number of children and every leaf has
/// the same depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    width: usize,
    /// Number of nodes in the subtree of a node, by the node's depth.
    sizes: Vec<u64>,
}

/// Reason why a shape is impossible.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum ShapeError {
    /// The width is 0, but an interior node needs children.
    #[error("a tree of width 0 has no leaves")]
    NoChildren,
    /// The nodes cannot be numbered with a `u64`.
    #[error("a tree of width {width} and height {height} has more than 2^64 nodes")]
    TooLarge {
        /// Number of children of an interior node.
        width: usize,
        /// Depth of the leaves.
        height: usize,
    },
}

/// Place of a node: its depth, and the number of nodes before it in preorder (a node comes before
/// its children, a left subtree before a right one).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodePlace {
    pub(super) depth: u32,
    pub(super) rank: u64,
}

impl NodePlace {
    pub(super) const ROOT: NodePlace = NodePlace { depth: 0, rank: 0 };
}

impl Shape {
    /// Returns the shape of trees with `width` children per interior node and leaves at depth
    /// `height`.
    ///
    /// # Errors
    ///
    /// Fails if the width is 0, or if the tree has more nodes than a `u64` can number.
    pub fn new(width: usize, height: usize) -> Result<Shape, ShapeError> {
        if width == 0 {
            return Err(ShapeError::NoChildren);
        }
        let mut sizes = vec![1u64];
        for _ in 0..height {
            let below = sizes[sizes.len() - 1].checked_mul(width as u64);
            let size = below.and_then(|nodes| nodes.checked_add(1));
            sizes.push(size.ok_or(ShapeError::TooLarge { width, height })?);
        }
        sizes.reverse();
        Ok(Shape { width, sizes })
    }

    /// Number of children of an interior node.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Depth of the leaves.
    pub fn height(&self) -> usize {
        self.sizes.len() - 1
    }

    /// Smallest number of leaves that prove the value of a tree of this shape (Knuth and Moore
    /// 1975): those of the best play of each side, minus the one that both share.
    pub fn minimal_leaves(&self) -> u64 {
        let (width, height) = (self.width as u64, self.height() as u32);
        width.pow(height.div_ceil(2)) + width.pow(height / 2) - 1
    }

    pub(super) fn is_leaf(&self, place: NodePlace) -> bool {
        place.depth as usize == self.height()
    }

    pub(super) fn width_at(&self, place: NodePlace) -> usize {
        if self.is_leaf(place) { 0 } else { self.width }
    }

    /// # Panics
    ///
    /// Panics if the node has no such child.
    pub(super) fn child(&self, place: NodePlace, index: usize) -> NodePlace {
        assert!(index < self.width);
        let depth = place.depth + 1;
        let left_siblings = self.sizes[depth as usize] * index as u64;
        NodePlace { depth, rank: place.rank + 1 + left_siblings }
    }
}
